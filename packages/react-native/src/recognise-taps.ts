/** A touch that moves further than this is a swipe or a drag, in the screen's points. */
const tapMoveMax = 10;

type Point = { pageX: number; pageY: number };

/** The part of React Native's touch events that is used. */
export type TouchEvent = { nativeEvent: { touches: ArrayLike<unknown>; changedTouches: ArrayLike<Point> } };

/** Properties of a view that sees every touch inside it and takes none away. */
export type TouchHandlers = Record<"onTouchStartCapture" | "onTouchMoveCapture" | "onTouchEndCapture" | "onTouchCancelCapture", (event: TouchEvent) => void>;

/** Every touch is activity; one finger that is lifted where it was put down is a tap. */
export function recogniseTaps({ act, tap }: { act: () => void; tap: () => void }): TouchHandlers {
  /** Where the finger was put down; undefined: it can no longer become a tap. */
  let from: Point | undefined;
  const pointOf = ({ nativeEvent }: TouchEvent): Point | undefined => nativeEvent.changedTouches[0];
  return {
    onTouchStartCapture(event) {
      act();
      from = event.nativeEvent.touches.length === 1 ? pointOf(event) : undefined;
    },
    onTouchMoveCapture(event) {
      act();
      const to = pointOf(event);
      if (from && to && Math.hypot(to.pageX - from.pageX, to.pageY - from.pageY) > tapMoveMax) from = undefined;
    },
    onTouchEndCapture() {
      if (from) tap();
      from = undefined;
    },
    // A list that begins to scroll takes the touch over.
    onTouchCancelCapture() {
      from = undefined;
    },
  };
}
