import type { ReactNode } from "react";
import { type Placement, placementNames } from "../ads/ad-labels.ts";

const widthPxMax = 320;
const heightPxMax = 190;

type Props = { placement: Placement; width: number; height: number; children: ReactNode };

/** Keeps the aspect ratio at a size that fits several pictures side by side. */
export function PictureFrame({ placement, width, height, children }: Props) {
  return (
    <figure style={{ width: Math.min(width, widthPxMax, (heightPxMax * width) / height) }}>
      {children}
      <figcaption>{placementNames[placement]}, {width} × {height}</figcaption>
    </figure>
  );
}
