import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { recogniseTaps, type TouchEvent } from "./recognise-taps.ts";

const touch = (fingers: number, pageX = 0, pageY = 0): TouchEvent => ({ nativeEvent: { touches: Array.from({ length: fingers }), changedTouches: [{ pageX, pageY }] } });

function touchOnce(run: (handlers: ReturnType<typeof recogniseTaps>) => void) {
  const counted = { acts: 0, taps: 0 };
  run(recogniseTaps({ act: () => (counted.acts += 1), tap: () => (counted.taps += 1) }));
  return counted;
}

describe("touches", () => {
  it("that are lifted where they were put down are taps, even if a finger trembles", () => {
    const counted = touchOnce(({ onTouchStartCapture, onTouchMoveCapture, onTouchEndCapture }) => {
      onTouchStartCapture(touch(1, 100, 100));
      onTouchMoveCapture(touch(1, 106, 108));
      onTouchEndCapture(touch(0, 106, 108));
      onTouchStartCapture(touch(1, 5, 5));
      onTouchEndCapture(touch(0, 5, 5));
    });
    assert.deepEqual(counted, { acts: 3, taps: 2 });
  });

  it("that move are activity and nothing more, even back to where they began", () => {
    const counted = touchOnce(({ onTouchStartCapture, onTouchMoveCapture, onTouchEndCapture }) => {
      onTouchStartCapture(touch(1, 100, 100));
      onTouchMoveCapture(touch(1, 100, 111));
      onTouchMoveCapture(touch(1, 100, 100));
      onTouchEndCapture(touch(0, 100, 100));
    });
    assert.deepEqual(counted, { acts: 3, taps: 0 });
  });

  it("of two fingers, and those that a list takes over, are no taps", () => {
    const counted = touchOnce(({ onTouchStartCapture, onTouchCancelCapture, onTouchEndCapture }) => {
      onTouchStartCapture(touch(1));
      onTouchStartCapture(touch(2));
      onTouchEndCapture(touch(1));
      onTouchEndCapture(touch(0));
      onTouchStartCapture(touch(1));
      onTouchCancelCapture(touch(0));
      onTouchEndCapture(touch(0));
    });
    assert.deepEqual(counted, { acts: 3, taps: 0 });
  });
});
