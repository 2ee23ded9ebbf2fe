# SPDX-License-Identifier: MIT
"""A preview without a sound card."""

import time
import unittest

import numpy as np

import aula
from support import main, small

RATE = 8000.0


def loud(block):
    return float(np.abs(block).max())


class Previews(unittest.TestCase):
    def room(self, **groups):
        return aula.Room(small(grid={"max_frequency": 1000}, time={"duration": 0.1}, **groups))

    def until_refined(self, preview, dry):
        """Passes noise until no finer response comes; the bands that were heard."""
        bands, limit = [0.0], time.monotonic() + 60.0
        while preview.status.refining and time.monotonic() < limit:
            preview.process(dry)
            if preview.status.band > bands[-1]:
                bands.append(preview.status.band)
            time.sleep(0.002)
        return bands

    def test_the_room_is_heard_while_it_is_refined(self):
        dry = 0.1 * np.random.default_rng(2).standard_normal(64).astype(np.float32)
        with aula.Preview(self.room(), RATE, block=64, threads=1) as preview:
            self.assertEqual(preview.block, 64)
            bands = self.until_refined(preview, dry)
            status = preview.status
            self.assertTrue(status.failure is None and not status.refining, status)
            self.assertTrue(bands == sorted(bands) and abs(status.valid_frequency - 1000) <= 20, (bands, status))
            heard = [preview.process(dry) for _ in range(100)]
            self.assertTrue(preview.status.heard)
            self.assertEqual(heard[0].shape, (64, 2))
            self.assertTrue(0.001 < loud(np.concatenate(heard)) < 1.0)
            for _ in range(200):
                quiet = preview.process(np.zeros(64))
            self.assertTrue(loud(quiet) < 1e-3)

    def test_a_callback_receives_each_block(self):
        blocks = []
        with aula.Preview(self.room(), RATE, block=128, dry=np.ones(1000), threads=1) as preview:
            preview.play(np.zeros(300), blocks.append)
            self.assertEqual([b.shape for b in blocks], [(128, 2)] * 3)
            preview.play(np.zeros(3000), lambda block: blocks.append(block) or True)
            self.assertEqual(len(blocks), 4)

    def test_a_callback_that_does_not_wait_hears_the_room(self):
        blocks = []
        dry = 0.1 * np.random.default_rng(2).standard_normal(2000)
        with aula.Preview(self.room(), RATE, block=128, dry=dry, threads=1) as preview:
            preview.play(dry, lambda block: blocks.append(block.copy()))
        self.assertGreater(min(loud(block) for block in blocks[2:-2]), 1e-4)

    def test_sounds_that_are_none_are_refused(self):
        with aula.Preview(self.room(), RATE, block=128, threads=1) as preview:
            for dry in (np.array([0.0, np.nan]), np.zeros((4, 2))):
                with self.assertRaisesRegex(aula.InputError, "finite samples"):
                    preview.play(dry, lambda block: None)

    def test_a_head_turns(self):
        head = [{"name": "head", "type": "ambisonic", "position": [1.1, 0.8, 0.5]}]
        dry = 0.1 * np.random.default_rng(2).standard_normal(256).astype(np.float32)
        with aula.Preview(self.room(receivers=head), RATE, block=256, threads=1) as preview:
            self.until_refined(preview, dry)
            powers = []
            for yaw in (90.0, -90.0):
                preview.turn(yaw)
                for _ in range(40):
                    preview.process(dry)
                powers.append(sum((preview.process(dry) ** 2).sum(axis=0) for _ in range(20)))
            self.assertTrue(powers[0][0] / powers[0][1] != powers[1][0] / powers[1][1], powers)

    def test_mistakes_are_told_and_it_closes_at_once(self):
        room = self.room()
        for arguments, options, why in (
            ((room, 100.0), {}, "rate"),
            ((room, RATE), {"block": 3}, "block"),
            ((room, RATE), {"source": 4}, "source 4"),
            ((room, RATE), {"hrtf": "x.sofa"}, "hrtf"),
            ((room, RATE), {"dry": [[1.0]]}, "dimensions"),
            ((room, RATE), {"dry": [np.nan]}, "not a finite number"),
        ):
            with self.subTest(why), self.assertRaisesRegex(aula.InputError, why):
                aula.Preview(*arguments, **options)
        large = aula.Room(small(room={"size": [8, 7, 4]}, grid={"rate": 16000}, time={"duration": 60.0}))
        preview = aula.Preview(large, RATE)
        begun = time.monotonic()
        preview.close()
        self.assertLess(time.monotonic() - begun, 3.0)  # 0.3 s, on a machine that is not busy
        with self.assertRaisesRegex(aula.InputError, "is closed"):
            preview.process(np.zeros(512))
        with self.assertRaisesRegex(aula.InputError, "shape"):
            aula.Preview(room, RATE, threads=1).process(np.zeros(3))


if __name__ == "__main__":
    main()
