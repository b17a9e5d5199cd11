import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { apiBase } from '#contract/constants.ts'
import { uploadImage } from '#contract/images.ts'
import { type Sample, sampleOf } from './sample.ts'
import type { ServerProcess } from './server.ts'

const maxAttackers = 7
const atATime = 2
const smallHeic = fileURLToPath(import.meta.resolve('#test/fixtures/flat-4-megapixels.heic'))

export interface Attack {
  readonly samples: ReadonlyMap<string, Sample>
  /** How many AVIF photos were answered, by status. */
  readonly answers: ReadonlyMap<number, number>
}

export interface AttackOptions {
  /** 7, or 0 for the same without an attack. */
  readonly attackers: 0 | typeof maxAttackers
  readonly avif: Blob
  readonly jpeg: Blob
  /** The path of a HEIC photo. If it is empty, a small one is used. */
  readonly heic: string
  readonly seconds: number
}

/**
 * Measures the uploads of two members, one photo after the other: a JPEG of 12 megapixels and a HEIC. Meanwhile the attackers send
 * AVIF photos of 40 megapixels, two each at a time. Throws unless each photo of the two is stored.
 */
export async function measureAttack(
  server: ServerProcess,
  tokens: readonly string[],
  { attackers, avif, jpeg, heic, seconds }: AttackOptions,
): Promise<Attack> {
  const photos = { JPEG: jpeg, HEIC: new Blob([new Uint8Array(await readFile(heic || smallHeic))]) }
  const end = performance.now() + seconds * 1000
  const answers = new Map<number, number>()

  async function attack(token: string) {
    while (performance.now() < end) {
      const { status } = await upload(server, token, avif)
      answers.set(status, (answers.get(status) ?? 0) + 1)
    }
  }
  async function measure(token: string, photo: Blob): Promise<Sample> {
    const latencies: number[] = []
    while (performance.now() < end) {
      const start = performance.now()
      const { status } = await upload(server, token, photo)
      if (status !== 201) throw new Error(`An upload during the attack answered ${status}`)
      latencies.push(performance.now() - start)
    }
    return sampleOf(latencies.length / seconds, latencies)
  }

  const attacking = tokens
    .slice(0, attackers)
    .flatMap((token) => Array.from({ length: atATime }, () => attack(token)))
  const measured = Object.entries(photos).map(
    async ([name, photo], index): Promise<[string, Sample]> => [
      name,
      await measure(tokens[maxAttackers + index] ?? '', photo),
    ],
  )
  // All end before an error is thrown, because it stops the server.
  const [, results] = await Promise.all([Promise.all(attacking), Promise.allSettled(measured)])
  const samples = results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
  return { samples: new Map(samples), answers }
}

/** Uploads a photo and reads the response. */
export async function upload({ url }: ServerProcess, token: string, photo: Blob): Promise<Response> {
  const body = new FormData()
  body.append(uploadImage.file, photo, 'photo')
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${url}${apiBase}${uploadImage.path}`, { method: 'POST', headers, body })
  await response.arrayBuffer()
  return response
}

/** Returns an AVIF that takes long to decode. */
export async function fortyMegapixels(): Promise<Blob> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 }
  const picture = sharp({ create: { width: 7745, height: 5164, channels: 3, background: 'olive', noise } })
  return new Blob([new Uint8Array(await picture.blur(2).avif({ quality: 50, effort: 0 }).toBuffer())])
}
