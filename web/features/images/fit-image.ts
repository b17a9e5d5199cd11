import { image } from '#contract/constants.ts'

const { longestSide, maxBytes, quality } = image.prepared

interface Size {
  width: number
  height: number
}

/** Returns the size scaled down so that no side exceeds the limit. Never enlarges. */
export function fittingSize({ width, height }: Size): Size {
  const scale = Math.min(1, longestSide / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Returns the JPEG qualities to try, best first. Rounds to tenths: 0.9 - 7 × 0.1 is not 0.2 in floating point. */
export function qualities(): number[] {
  const steps = Math.round((quality.start - quality.floor) / quality.step)
  return Array.from(
    { length: steps + 1 },
    (_, step) => Math.round((quality.start - step * quality.step) * 10) / 10,
  )
}

/**
 * Returns the encoding with the best quality that is small enough, or undefined. `encode` makes a JPEG at a quality between 0
 * and 1. `onTry` receives the progress from 0 to 1.
 */
export async function encodeToFit(
  encode: (quality: number) => Promise<Blob>,
  onTry: (done: number) => void,
): Promise<Blob | undefined> {
  const tries = qualities()
  for (const [index, candidate] of tries.entries()) {
    const encoded = await encode(candidate)
    if (encoded.size <= maxBytes) return encoded
    onTry((index + 1) / tries.length)
  }
}

/** Paints a decoded picture at its fitting size on white, because JPEG has no transparency. */
export function paint(
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  source: CanvasImageSource,
  { width, height }: Size,
) {
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(source, 0, 0, width, height)
}
