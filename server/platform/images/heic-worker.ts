import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import heic from 'heic-decode'
import type { HeicJob } from './decode-heic.ts'
import type { Pixels } from './pixels.ts'

declare const WebAssembly: {
  Memory: { prototype: { readonly buffer: ArrayBuffer; grow(pages: number): number } }
}

const { file, page, limits }: HeicJob = workerData

// A thread's resource limits do not include WebAssembly memory, so its growth is limited here. An error fails the decoding.
const grow = WebAssembly.Memory.prototype.grow
WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * 65_536 > limits.memory)
    throw new RangeError('HEIC takes too much memory')
  return grow.call(this, pages)
}

const images = await heic.all({ buffer: readFileSync(file) })
const heicImage = images[page]
if (!heicImage) throw new Error('HEIC image not found')
if (heicImage.width * heicImage.height > limits.pixels) throw new RangeError('HEIC image has too many pixels')

const { data, width, height } = await heicImage.decode()
const pixels: Pixels = { data, width, height, channels: 4 }
parentPort?.postMessage(pixels, [data.buffer])
