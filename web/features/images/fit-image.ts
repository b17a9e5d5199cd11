import { image } from '#contract/constants.ts'

const { longestSide, maxBytes, quality } = image.prepared

export interface Size {
  width: number
  height: number
}

/** The same proportions with no side longer than the limit; never larger than it was. */
export function fittingSize({ width, height }: Size): Size {
  const scale = Math.min(1, longestSide / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** The qualities to try, best first. Whole tenths, as 0.9 - 7 × 0.1 is not 0.2 in floating point. */
export function qualities(): number[] {
  const steps = Math.round((quality.start - quality.floor) / quality.step)
  return Array.from(
    { length: steps + 1 },
    (_, step) => Math.round((quality.start - step * quality.step) * 10) / 10,
  )
}

/**
 * The first encoding that is small enough, at the best quality that gives one; undefined when there is none.
 * `encode` makes a JPEG at a quality between 0 and 1; `onTry` hears how much of the work is done, 0 to 1.
 */
export async function encodeToFit(
  encode: (quality: number) => Promise<Blob>,
  onTry: (done: number) => void,
): Promise<Blob | undefined> {
  const tries = qualities()
  for (const [index, each] of tries.entries()) {
    const encoded = await encode(each)
    if (encoded.size <= maxBytes) return encoded
    onTry((index + 1) / tries.length)
  }
}

/** Paints a decoded picture at its fitting size, on white where it is transparent (JPEG knows no transparency). */
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
