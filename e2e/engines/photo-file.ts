import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { rotatedPhoto } from '../photos.ts'

/** Writes a photo whose orientation turns it, and returns its path. */
export async function rotatedPhotoFile(path: string): Promise<string> {
  const { buffer } = await rotatedPhoto()
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, buffer)
  return path
}
