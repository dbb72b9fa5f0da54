// Put here by monitor, for OpenCode; taken out by: monitor hooks remove --agent opencode
//
// Lets monitor follow and reach an OpenCode that listens on no port. It opens one socket in a folder of monitor's that
// only its user may enter, and hands what is asked there to the server that OpenCode has within itself: the requests in
// ASKED and no others. The password of that server, if it has one, is asked for there too. Nothing of a session is read
// or changed until monitor asks, nothing is written but the socket, and nothing goes to any network. Whatever fails
// here fails in silence: OpenCode works as it does without this file.

import { chmodSync, existsSync, lstatSync, readdirSync, unlinkSync } from "node:fs"
import { createServer } from "node:http"
import { fileURLToPath } from "node:url"

const FOLDER = "{folder}"
const INSIDE = "opencode://inside" // an address of no network: nothing but the server within this process answers there
const HERE = fileURLToPath(import.meta.url)
const ASKED = [
  ["GET", /^\/(global\/health|event|session|session\/status|permission)$/],
  ["GET", /^\/session\/ses_\w+(\/message|\/children)?$/],
  ["POST", /^\/session\/ses_\w+\/(abort|prompt_async)$/],
  ["POST", /^\/permission\/per_\w+\/reply$/],
]
const LARGEST = 1 << 20 // bytes of a request
const UNREAD = 32 << 20 // bytes that wait for a monitor which does not read: it is let go of
const KEPT = ["accept", "authorization", "content-type"] // headers that are handed on
const OPEN = Symbol.for("monitor.opencode") // this file may lie in two folders: one socket is enough

export const Monitor = async ({ client }) => {
  try {
    if (globalThis[OPEN] || !isPrivate(FOLDER)) return {}
    const ask = client._client.getConfig().fetch
    const inside = ask(new Request(`${INSIDE}/global/health`)) // refused where OpenCode listens on a port: that is used then
    globalThis[OPEN] = inside.then(() => listen(ask)).catch(() => {})
  } catch {}
  return {}
}

function isPrivate(folder) {
  const found = lstatSync(folder)
  return found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o077) === 0
}

function listen(ask) {
  const path = `${FOLDER}/${process.pid}.sock`
  const remove = () => {
    try {
      unlinkSync(path)
    } catch {}
  }
  const open = new Set()
  const server = createServer((request, response) => {
    open.add(response)
    response.on("close", () => open.delete(response))
    if (existsSync(HERE)) return answer(ask, request, response).catch(() => fail(response))
    server.close() // this file was removed: nothing is answered any more
    for (const one of open) one.destroy()
    remove()
  })
  server.on("error", () => {})
  remove() // one that a process of the same number has left
  server.listen(path, () => {
    try {
      chmodSync(path, 0o600)
    } catch {}
  })
  server.unref()
  process.once("exit", remove)
  sweep()
}

function sweep() {
  for (const name of readdirSync(FOLDER)) {
    const pid = /^([1-9]\d{0,9})\.sock$/.exec(name)?.[1]
    try {
      if (pid) process.kill(Number(pid), 0)
    } catch (error) {
      if (error.code === "ESRCH") unlinkSync(`${FOLDER}/${name}`)
    }
  }
}

async function answer(ask, request, response) {
  const gone = new AbortController()
  response.on("error", () => {})
  response.on("close", () => gone.abort())
  const { pathname, search } = new URL(`${INSIDE}${request.url}`)
  if (!ASKED.some(([verb, path]) => verb === request.method && path.test(pathname))) return end(response, 403)
  const body = await read(request)
  if (body === undefined) return end(response, 413)
  const headers = Object.fromEntries(KEPT.flatMap((name) => (request.headers[name] ? [[name, request.headers[name]]] : [])))
  const more = request.method === "POST" ? { body } : {}
  const asked = { method: request.method, headers, signal: gone.signal, ...more }
  const told = await ask(new Request(`${INSIDE}${pathname}${search}`, asked))
  const type = told.headers.get("content-type")
  response.writeHead(told.status, type ? { "content-type": type } : {})
  response.flushHeaders()
  const pieces = told.body?.getReader()
  try {
    for (let one = await pieces?.read(); one && !one.done; one = await pieces.read()) {
      response.write(one.value)
      if (gone.signal.aborted || response.writableLength > UNREAD) return response.destroy()
    }
    response.end()
  } finally {
    pieces?.cancel().catch(() => {})
  }
}

function read(request) {
  const pieces = []
  let size = 0
  request.on("data", (piece) => {
    size += piece.length
    if (size <= LARGEST) pieces.push(piece)
  })
  return new Promise((resolve, reject) => {
    request.on("end", () => resolve(size > LARGEST ? undefined : Buffer.concat(pieces)))
    request.on("error", reject)
  })
}

function fail(response) {
  if (response.headersSent) response.destroy()
  else end(response, 502)
}

function end(response, status) {
  response.writeHead(status, { "content-length": "0" })
  response.end()
}
