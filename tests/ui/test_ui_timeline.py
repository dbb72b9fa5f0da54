"""The virtual list: a million rows cost what a screen of them costs."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.events import MouseScrollDown
from ui_many import MILLION, Many
from ui_samples import PEN

from monitor.ui.widgets.timeline import Timeline


class OneList(App[None]):
    def __init__(self, rows: Many) -> None:
        super().__init__()
        self.timeline = Timeline(PEN, rows)
        self.timeline.styles.height = 20

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict.fromkeys(("muted", "rule", "stop", "warn", "note", "agent", "ok", "outside", "shell"), "#808080")

    def compose(self) -> ComposeResult:
        yield self.timeline


def shown(timeline: Timeline) -> list[str]:
    return [timeline.render_line(y).text for y in range(timeline.size.height)]


async def test_a_million_rows_are_read_a_screen_at_a_time() -> None:
    """Opening, jumping and following read only the rows that are shown."""
    rows = Many()
    app = OneList(rows)
    async with app.run_test(size=(100, 20)) as pilot:
        timeline = app.timeline
        timeline.put(MILLION, 0, "many", ())
        await pilot.pause()
        assert "row 999999 [/foo]" in shown(timeline)[-1]
        timeline.leap(end=False)
        await pilot.pause()
        assert "row 0 [/foo]" in shown(timeline)[1]
        timeline.go(500_000)
        await pilot.pause()
        assert any("row 500000 " in line for line in shown(timeline))
        assert len(rows.read) < 200


async def test_moving_by_one_draws_two_rows() -> None:
    """The cursor leaves one row and enters another; nothing else is read again."""
    rows = Many(1_000)
    app = OneList(rows)
    async with app.run_test(size=(100, 20)) as pilot:
        app.timeline.put(1_000, 0, "many", ())
        app.timeline.go(990)
        await pilot.pause()
        rows.read.clear()
        app.timeline.move(1)
        await pilot.pause()
        assert set(rows.read) <= {990, 991}


async def test_the_cursor_stays_in_view_whatever_the_size() -> None:
    """Resized down to two lines and up again, the row at the cursor is on the screen."""
    rows = Many(1_000)
    app = OneList(rows)
    async with app.run_test(size=(100, 20)) as pilot:
        app.timeline.put(1_000, 0, "many", ())
        app.timeline.go(300)
        for size in ((20, 6), (300, 80), (40, 12)):
            app.timeline.styles.height = size[1]
            await pilot.resize_terminal(*size)
            await pilot.pause()
            top, room = app.timeline.top, app.timeline.room
            assert top <= 300 < top + room
            assert all(len(line) > 0 for line in shown(app.timeline))


async def test_fewer_rows_than_before_are_no_fault() -> None:
    """A log that was rewritten shorter moves the cursor to its end."""
    rows = Many(500)
    app = OneList(rows)
    async with app.run_test(size=(100, 20)) as pilot:
        app.timeline.put(500, 0, "many", ())
        app.timeline.go(400)
        rows.total = 3
        app.timeline.put(3, 1, "few", ())
        await pilot.pause()
        assert app.timeline.cursor == 2
        assert "row 2 " in shown(app.timeline)[3]


async def test_the_rail_and_the_wheel_move_through_the_run() -> None:
    """A click on the rail goes to that place; the wheel moves three rows."""
    app = OneList(Many(1_000))
    async with app.run_test(size=(100, 20)) as pilot:
        app.timeline.put(1_000, 0, "many", ((500, "stop"),))
        await pilot.pause()
        await pilot.click(Timeline, offset=(app.timeline.outer_size.width - 1, 10))
        assert 400 < app.timeline.cursor < 600
        here = app.timeline.cursor
        await pilot._post_mouse_events([MouseScrollDown], Timeline, button=0)
        await pilot.pause()
        assert app.timeline.cursor == here + 3
