"""When a change is worth a rebuild."""

from generator.export.pace import Pace


def test_an_edit_shows_at_once_whatever_was_built_before():
    pace = Pace()
    pace.built(0.0, 100.0)
    assert pace.wants(100.1, edited=True, written=False)


def test_nothing_changed_rebuilds_nothing():
    pace = Pace()
    assert not pace.wants(0.0, edited=False, written=False)
    pace.wants(1.0, edited=False, written=True)
    assert not pace.wants(9.0, edited=False, written=False)


def test_an_agent_that_writes_all_the_time_gets_a_fifth_of_the_time_at_most():
    pace, now, spent, builds = Pace(), 0.0, 0.0, 0
    while now < 1000:
        if pace.wants(now, edited=False, written=True):
            pace.built(now, now + 3.0)
            builds, spent, now = builds + 1, spent + 3.0, now + 3.0
        now += 0.3
    assert builds > 50
    assert spent / now <= 0.2


def test_what_was_written_during_a_pause_is_shown_after_it():
    pace = Pace()
    pace.built(0.0, 0.1)
    assert not pace.wants(0.5, edited=False, written=True)
    assert not pace.wants(1.0, edited=False, written=False)
    assert pace.wants(3.0, edited=False, written=False)
