"""A program that has loaded OpenCode's plug-in, and its socket."""

from __future__ import annotations

import httpx
from waiting import until

from monitor.agents.opencode.bridge import bridge, folder
from monitor.agents.opencode.server import Server
from monitor.agents.protocol import Process
from monitor.processes.identity import identify

DRIVER = """
import {{ Monitor }} from {plugin}
const heard = []
const pieces = new TextEncoder().encode("data: " + "x".repeat(1 << 20) + "\\n\\n")
async function fetch(request) {{
  const url = new URL(request.url)
  heard.push([request.method, url.pathname + url.search, Object.fromEntries(request.headers), await request.text()])
  if (url.pathname === "/event") {{
    let left = 200
    const pull = (to) => (left-- > 0 ? to.enqueue(pieces) : to.close())
    const cancel = () => process.stdout.write(JSON.stringify({{ cancelled: left }}) + "\\n")
    return new Response(new ReadableStream({{ pull, cancel }}), {{ headers: {{ "content-type": "text/event-stream" }} }})
  }}
  if (url.pathname === "/permission") throw new Error("broken")
  if (url.pathname === "/session/status") return new Response("no", {{ status: 401 }})
  return Response.json({{ healthy: true, version: "1", heard }})
}}
const told = {{ client: {{ _client: {{ getConfig: () => ({config}) }} }} }}
const first = await Monitor(told)
const second = await Monitor(told)
process.stdout.write(JSON.stringify({{ hooks: [first, second] }}) + "\\n")
process.stdin.resume()
process.stdin.on("end", () => process.exit(0))
"""


def process_of(started):
    """As it is found among the machine's."""
    found = identify(started.pid)
    return Process(found.pid, found.begun)


def reached(started):
    """Its server, by its socket."""
    return Server(0, "", bridge=until(lambda: bridge(process_of(started)), "its socket"))


def asked(started, verb, path, **more):
    """What it answers to any request."""
    with httpx.Client(transport=httpx.HTTPTransport(uds=str(folder() / f"{started.pid}.sock"))) as client:
        return client.request(verb, f"http://localhost{path}", **more)
