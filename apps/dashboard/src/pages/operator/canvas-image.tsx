import { useEffect, useRef } from "react";

function blobOf(dataUrl: string): Blob {
  const [, type = "", base64 = ""] = /^data:([^;]+);base64,(.*)$/s.exec(dataUrl) ?? [];
  return new Blob([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], { type });
}

/** Draws an image that is not stored on the server. The content security policy does not allow `data:` URLs in <img>. */
export function CanvasImage({ dataUrl, width, height, label }: { dataUrl: string; width: number; height: number; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isCurrent = true;
    void createImageBitmap(blobOf(dataUrl)).then((bitmap) => {
      if (isCurrent) canvas.current?.getContext("2d")?.drawImage(bitmap, 0, 0, width, height);
      bitmap.close();
    });
    return () => {
      isCurrent = false;
    };
  }, [dataUrl, width, height]);
  return <canvas ref={canvas} width={width} height={height} role="img" aria-label={label} />;
}
