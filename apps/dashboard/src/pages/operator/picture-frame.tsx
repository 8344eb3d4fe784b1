import type { ReactNode } from "react";
import { type Placement, placementNames } from "../ads/ad-words.ts";

const widthMax = 320;
const heightMax = 190;

type Props = { placement: Placement; width: number; height: number; children: ReactNode };

/** A picture at its own shape, small enough that several stand side by side, with what it is for. */
export function PictureFrame({ placement, width, height, children }: Props) {
  return (
    <figure style={{ width: Math.min(width, widthMax, (heightMax * width) / height) }}>
      {children}
      <figcaption>{placementNames[placement]}, {width} × {height}</figcaption>
    </figure>
  );
}
