import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { image } from '#contract/constants.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { AppError, photoStorageError } from '#server/platform/errors.ts'

/** The uploaded file of a request on disk, without the name and type that the client sent. */
export interface UploadedFile {
  readonly path: string
  /** Aborted when the client leaves before it is answered. */
  readonly signal: AbortSignal
}

/** Limits uploads. */
export interface Uploads {
  /**
   * Admits an upload before its body is read. `bytes` is its length if that is known. Returns a function to call at its end. Throws
   * `too_many` and `unavailable`.
   */
  admit(member: number, bytes: number | undefined): Promise<() => void>
}

export interface Multipart {
  readonly fields: Record<string, string>
  readonly file: UploadedFile | undefined
  /** Deletes the file. Call it at the end of the request. */
  discard(): Promise<void>
}

/** Returns a signal that is aborted when the connection is closed before the response was sent. */
export function clientLeft(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort(new AppError('bad_request', errorMessages.unreadableBody))
  if (response.destroyed) abort()
  else response.once('close', () => !response.writableFinished && abort())
  return controller.signal
}

/** The fields of a multipart body that are not single texts. */
interface Fields {
  /** The name of the file. */
  readonly file: string | undefined
  /** The names of lists, which clients send as several parts or as one with commas. */
  readonly lists: ReadonlySet<string>
}

/**
 * Reads a multipart body: text fields, and the one file of the endpoint, which is streamed to disk. Other files are dropped. Throws
 * `too_large` and `bad_request`, and the signal's reason when the client leaves.
 */
export async function readMultipart(
  request: FastifyRequest,
  expected: Fields,
  signal: AbortSignal,
): Promise<Multipart> {
  if (!request.isMultipart()) throw new AppError('unsupported_type', errorMessages.unreadableBody)
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-upload-'))
  // An interrupted write may still create its file while the folder is removed.
  const discard = () => rm(folder, { recursive: true, force: true, maxRetries: 3 })
  try {
    // The parser would wait for ever for a request that is closed already, and may do so for one that is closed meanwhile.
    signal.throwIfAborted()
    const left = once(signal, 'abort').then((): never => {
      throw signal.reason
    })
    const path = join(folder, 'file')
    const { fields, hasFile } = await Promise.race([readParts(request, expected, path), left])
    return { fields, file: hasFile ? { path, signal } : undefined, discard }
  } catch (error) {
    await discard()
    throw parserError(error) ?? photoStorageError(error)
  }
}

const partLimits = {
  fileSize: image.accepted.maxBytes,
  files: 4,
  fields: 40,
  fieldSize: 64 * 1024,
  parts: 44,
  headerPairs: 40,
}

/** Reads the fields of a body, and writes its file to the path. */
async function readParts(request: FastifyRequest, { file, lists }: Fields, path: string) {
  const fields: Record<string, string> = Object.create(null)
  let hasFile = false
  for await (const part of request.parts({ limits: partLimits })) {
    if (hasInvalidUtf8(part.fieldname) || hasInvalidUtf8(part.type === 'field' ? part.value : part.filename))
      throw new AppError('bad_request', errorMessages.unreadableBody)
    if (part.type === 'field') {
      const before = fields[part.fieldname]
      if (before !== undefined && !lists.has(part.fieldname))
        throw new AppError('bad_request', `Please send "${part.fieldname}" only once`)
      if (part.valueTruncated) throw new AppError('too_large', errorMessages.bodyTooLarge)
      // Parts with a JSON content type are already parsed. Only plain values are accepted.
      if (typeof part.value === 'object') throw new AppError('bad_request', errorMessages.unreadableBody)
      fields[part.fieldname] = before === undefined ? String(part.value) : `${before},${part.value}`
    } else if (part.fieldname !== file) {
      part.file.resume()
    } else if (hasFile) {
      throw new AppError('bad_request', `Please send only one "${part.fieldname}"`)
    } else {
      await pipeline(part.file, createWriteStream(path))
      if (part.file.truncated) throw new AppError('too_large', errorMessages.imageTooLarge)
      hasFile = part.file.bytesRead > 0
    }
  }
  return { fields, hasFile }
}

/** Returns whether the parser has replaced invalid UTF-8 by U+FFFD. */
function hasInvalidUtf8(text: unknown): boolean {
  return typeof text === 'string' && text.includes('\ufffd')
}

/** Converts an error of the parser to a client error. Errors with a system code, like a full disk, are not. */
function parserError(error: unknown): AppError | undefined {
  if (error instanceof AppError || !(error instanceof Error)) return undefined
  const code = 'code' in error ? error.code : undefined
  if (code === 'FST_REQ_FILE_TOO_LARGE') return new AppError('too_large', errorMessages.imageTooLarge)
  const malformed = [undefined, 'FST_INVALID_JSON_FIELD_ERROR', 'ERR_STREAM_PREMATURE_CLOSE'].includes(
    code as string | undefined,
  )
  return malformed ? new AppError('bad_request', errorMessages.unreadableBody, { cause: error }) : undefined
}
