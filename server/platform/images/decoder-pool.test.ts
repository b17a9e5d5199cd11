import { readFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { errorMessages } from '#contract/error-messages.ts'
import { newImageFixture, plain, turnedHeic } from '#test/image-fixture.ts'
import { animatedWebp, progressiveJpeg } from '#test/pictures.ts'
import { bytesReadBy, isRunning, processesStartedBy } from '#test/processes.ts'

const notAnImage = { code: 'unsupported_type', status: 415, message: errorMessages.notAnImage }
const tooSlow = { code: 'too_large', status: 413, message: errorMessages.imageTooSlow }
const smallPng = () => plain(100, 100).png().toBuffer()
/** Takes a decoder half a second, because an interlaced PNG is decoded as a whole. */
const largePng = await plain(6300, 6300).png({ progressive: true, compressionLevel: 3 }).toBuffer()
const bytesOfLargePng = 500_000

/** Resolves when a process has read the large PNG and is decoding it. */
async function untilDecoding(decoder: number, readBefore: number): Promise<void> {
  const isDecoding = async () => (await bytesReadBy(decoder)) > readBefore + bytesOfLargePng
  await vi.waitUntil(isDecoding, { interval: 2, timeout: 30_000 })
}

test('decodes a progressive JPEG of 100 scans and refuses one of 101', async () => {
  await using fixture = await newImageFixture()
  const accepted = await fixture.upload(await progressiveJpeg(100), 'most')
  const refused = await fixture.upload(await progressiveJpeg(101), 'more')

  await expect(fixture.images.store(accepted, 'photo')).resolves.toMatchObject({ width: 640, height: 480 })
  await expect(fixture.images.store(refused, 'photo')).rejects.toMatchObject(notAnImage)
})

test('decodes an animated WebP of 1000 frames and refuses one of 1001', async () => {
  await using fixture = await newImageFixture()
  const accepted = await fixture.upload(await animatedWebp(1000), 'most')
  const refused = await fixture.upload(await animatedWebp(1001), 'more')

  await expect(fixture.images.store(accepted, 'photo')).resolves.toMatchObject({ width: 1, height: 1 })
  await expect(fixture.images.store(refused, 'photo')).rejects.toMatchObject(notAnImage)
})

// These two tests mostly wait. In concurrent tests, `expect.poll` needs the `expect` of the test.
test.concurrent('kills a process that hangs during decoding, refuses its file and decodes the next one', async ({
  expect,
}) => {
  await using fixture = await newImageFixture({ concurrency: 1, timeoutMs: 3000 })
  const small = await fixture.upload(await smallPng(), 'small')
  const large = await fixture.upload(largePng, 'large')
  const [decoder = 0] = await processesStartedBy(() => fixture.images.store(small, 'photo'))

  const read = await bytesReadBy(decoder)
  const refused = expect(fixture.images.store(large, 'photo')).rejects.toMatchObject(tooSlow)
  await untilDecoding(decoder, read)
  process.kill(decoder, 'SIGSTOP')
  await refused

  await expect.poll(() => isRunning(decoder)).toBe(false)
  await expect(fixture.images.store(small, 'photo')).resolves.toMatchObject({ width: 100 })
})

test.concurrent("kills a process that hangs before it reads the file, which may be sent again, after it has stored another member's", async ({
  expect,
}) => {
  await using fixture = await newImageFixture({ concurrency: 2, timeoutMs: 3000 })
  const file = await fixture.upload(await smallPng())
  const [decoder = 0] = await processesStartedBy(() => fixture.images.store(file, 'photo'))

  process.kill(decoder, 'SIGSTOP')
  const results: unknown[] = []
  const store = (member: string) =>
    fixture.images.store(file, 'photo', member).then(
      (stored) => results.push(stored),
      (refusal) => results.push(refusal),
    )
  await Promise.all(['ann', 'bob'].map(store))
  expect(results).toMatchObject([{ width: 100 }, { code: 'unavailable', retryAfter: 10 }])

  await expect.poll(() => isRunning(decoder)).toBe(false)
  await expect(fixture.images.store(file, 'photo')).resolves.toMatchObject({ width: 100 })
})

test('refuses a file that crashes a process and decodes the next one', async () => {
  await using fixture = await newImageFixture({ concurrency: 1 })
  const small = await fixture.upload(await smallPng(), 'small')
  const large = await fixture.upload(largePng, 'large')
  const [decoder = 0] = await processesStartedBy(() => fixture.images.store(small, 'photo'))

  const read = await bytesReadBy(decoder)
  const refused = expect(fixture.images.store(large, 'photo')).rejects.toMatchObject(notAnImage)
  await untilDecoding(decoder, read)
  process.kill(decoder, 'SIGKILL')
  await refused

  await expect(fixture.images.store(small, 'photo')).resolves.toMatchObject({ width: 100 })
})

test('replaces an idle process that has ended', async () => {
  await using fixture = await newImageFixture({ concurrency: 1 })
  const file = await fixture.upload(await smallPng())
  const [decoder = 0] = await processesStartedBy(() => fixture.images.store(file, 'photo'))

  process.kill(decoder, 'SIGKILL')
  await expect.poll(() => isRunning(decoder)).toBe(false)

  await expect(fixture.images.store(file, 'photo')).resolves.toMatchObject({ width: 100 })
})

/** Decodes a photo of each of these members while the only process is stopped, and returns the members in the order of decoding. */
async function orderOf(
  { decoders, upload }: Awaited<ReturnType<typeof newImageFixture>>,
  decoder: number,
  members: readonly string[],
): Promise<string[]> {
  const small = await upload(await smallPng(), 'small')
  const large = await upload(largePng, 'first')
  const read = await bytesReadBy(decoder)
  const first = decoders.encode(large, 'photo', 'the first')
  await untilDecoding(decoder, read)
  process.kill(decoder, 'SIGSTOP')
  const decoded: string[] = []
  const all = members.map((member) =>
    decoders.encode(small, 'photo', member).then(() => decoded.push(member)),
  )
  // Each reads the start of its file before it waits.
  for (let reads = 0; reads < 10 * members.length; reads += 1) await readFile(small)
  process.kill(decoder, 'SIGCONT')
  await Promise.all([first, ...all])
  return decoded
}

test('decodes the photos of members in turns', async () => {
  await using fixture = await newImageFixture({ concurrency: 1 })
  const file = await fixture.upload(await smallPng())
  const [decoder = 0] = await processesStartedBy(() => fixture.images.store(file, 'photo', 'dan'))
  const decoded = await orderOf(fixture, decoder, ['ann', 'ann', 'ann', 'bob', 'bob', 'cas'])

  const rounds = [decoded.slice(0, 3).sort(), decoded.slice(3, 5).sort(), decoded.slice(5)]
  expect(rounds).toEqual([['ann', 'bob', 'cas'], ['ann', 'bob'], ['ann']])
})

test('decodes the photo of a member who has used less time before one that was sent earlier', async () => {
  await using fixture = await newImageFixture({ concurrency: 1 })
  const large = await fixture.upload(largePng, 'large')
  const [decoder = 0] = await processesStartedBy(() => fixture.decoders.encode(large, 'photo', 'ann'))
  await fixture.decoders.encode(large, 'photo', 'ann')

  expect(await orderOf(fixture, decoder, ['ann', 'ann', 'bob'])).toEqual(['bob', 'ann', 'ann'])
})

test('decodes HEIC and PNG photos while AVIF photos wait', async () => {
  await using fixture = await newImageFixture({ concurrency: 1, timeoutMs: 60_000 })
  const avif = await fixture.upload(await plain(100, 100).avif({ effort: 0 }).toBuffer(), 'avif')
  const png = await fixture.upload(await smallPng(), 'png')
  const [decoder = 0] = await processesStartedBy(() => fixture.images.store(avif, 'photo'))

  process.kill(decoder, 'SIGSTOP')
  const waiting = ['ann', 'bob', 'cas'].map((member) => fixture.images.store(avif, 'photo', member))
  await expect(fixture.images.store(turnedHeic, 'photo', 'dan')).resolves.toMatchObject({ width: 320 })
  await expect(fixture.images.store(png, 'photo', 'eve')).resolves.toMatchObject({ width: 100 })

  process.kill(decoder, 'SIGCONT')
  expect(await Promise.all(waiting)).toMatchObject(Array(3).fill({ width: 100 }))
})

test('refuses a HEIC photo that claims to be AVIF', async () => {
  await using fixture = await newImageFixture()
  const heic = await readFile(turnedHeic)
  heic.write('avif', heic.indexOf('mif1'), 'latin1')
  const file = await fixture.upload(heic)

  await expect(fixture.images.store(file, 'photo')).rejects.toMatchObject(notAnImage)
})

test('does not decode a photo that is aborted while it waits', async () => {
  await using fixture = await newImageFixture({ concurrency: 1, timeoutMs: 60_000 })
  const small = await fixture.upload(await smallPng(), 'small')
  const large = await fixture.upload(largePng, 'large')
  const [decoder = 0] = await processesStartedBy(() => fixture.images.store(small, 'photo'))
  const controller = new AbortController()

  const read = await bytesReadBy(decoder)
  process.kill(decoder, 'SIGSTOP')
  const running = fixture.images.store(small, 'photo', 'ann')
  const waiting = fixture.images.store(large, 'photo', 'bob', controller.signal)
  controller.abort(new Error('The client has left'))
  await expect(waiting).rejects.toThrow('The client has left')

  process.kill(decoder, 'SIGCONT')
  await expect(running).resolves.toMatchObject({ width: 100 })
  await expect(fixture.images.store(small, 'photo', 'bob')).resolves.toMatchObject({ width: 100 })
  expect(await bytesReadBy(decoder)).toBeLessThan(read + bytesOfLargePng)
})

test('kills the process of a photo that is aborted while it is decoded', async () => {
  await using fixture = await newImageFixture({ concurrency: 1, timeoutMs: 60_000 })
  const small = await fixture.upload(await smallPng(), 'small')
  const large = await fixture.upload(largePng, 'large')
  const [decoder = 0] = await processesStartedBy(() => fixture.images.store(small, 'photo'))
  const controller = new AbortController()

  const read = await bytesReadBy(decoder)
  const aborted = expect(fixture.images.store(large, 'photo', 'ann', controller.signal)).rejects.toThrow(
    'The client has left',
  )
  await untilDecoding(decoder, read)
  controller.abort(new Error('The client has left'))
  await aborted

  await expect.poll(() => isRunning(decoder)).toBe(false)
  await expect(fixture.images.store(small, 'photo')).resolves.toMatchObject({ width: 100 })
})

test('refuses a photo with retryAfter if too many photos wait', async () => {
  await using fixture = await newImageFixture({ concurrency: 1, maxWaiting: 1 })
  const file = await fixture.upload(await smallPng())

  const results = await Promise.allSettled(
    ['ann', 'bob', 'cas'].map((member) => fixture.images.store(file, 'photo', member)),
  )

  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'unavailable', retryAfter: 10 },
  })
  await expect(fixture.images.store(file, 'photo')).resolves.toMatchObject({ width: 100 })
})

test('tells how long the photos of a member have taken, also refused ones', async () => {
  const decoded: [unknown, number][] = []
  await using fixture = await newImageFixture({
    concurrency: 1,
    onDecoded: (member, seconds) => decoded.push([member, seconds]),
  })
  const broken = (await smallPng()).subarray(0, 100)

  await fixture.images.store(await fixture.upload(await smallPng()), 'photo', 'ann')
  await fixture.images.store(await fixture.upload(broken), 'photo', 'bob').catch(() => {})

  expect(decoded).toEqual([
    ['ann', expect.any(Number)],
    ['bob', expect.any(Number)],
  ])
  for (const [, seconds] of decoded) expect(seconds).toBeGreaterThan(0)
})
