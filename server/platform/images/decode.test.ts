import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { decode } from './decode.ts'

const file = fileURLToPath(import.meta.resolve('#test/fixtures/turned-p3-gps.heic'))

test('a good picture that takes too long is not called a bad one', async () => {
  const frame = () => ({ width: 100 })

  await expect(decode(file, frame, 1)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 60 })
  await expect(decode(file, frame)).resolves.toMatchObject({ width: 100, height: 75, channels: 3 })
})
