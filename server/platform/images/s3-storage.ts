import { Readable } from 'node:stream'
import type { S3ClientConfig } from '@aws-sdk/client-s3'
import type { Storage } from './storage.ts'

export interface S3Options {
  bucket: string
  region: string
  /** The endpoint of a store other than Amazon S3. */
  endpoint?: string | undefined
  /** True if the bucket is in the path instead of the host name. */
  pathStyle?: boolean | undefined
  credentials: { accessKeyId: string; secretAccessKey: string }
}

/** Stores files in a bucket of any S3-compatible store. The SDK is imported here, because it is large and optional. */
export async function openS3Storage({ bucket: Bucket, ...options }: S3Options): Promise<Storage> {
  const { NoSuchKey, S3 } = await import('@aws-sdk/client-s3')
  const store = new S3(clientConfig(options))

  // Deletes files one by one, because some stores can not delete several at once.
  async function remove(files: readonly string[]) {
    await Promise.all(files.map((Key) => store.deleteObject({ Bucket, Key })))
  }

  return {
    async put(Key, bytes, type) {
      await store.putObject({
        Bucket,
        Key,
        Body: bytes,
        ContentType: type,
        ContentLength: bytes.byteLength,
      })
    },

    async open(Key) {
      try {
        const { Body, ContentLength } = await store.getObject({ Bucket, Key })
        if (!(Body instanceof Readable) || ContentLength === undefined)
          throw new Error(`S3 sent no body for ${Key}`)
        return { stream: Body, size: ContentLength }
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined
        throw error
      }
    },

    async sweep(Prefix, before, listUnwanted) {
      let removed = 0
      for (let token: string | undefined; ; ) {
        const page = await store.listObjectsV2({ Bucket, Prefix, ContinuationToken: token })
        const old = (page.Contents ?? []).flatMap(({ Key, LastModified }) =>
          Key !== undefined && LastModified !== undefined && LastModified < before ? [Key] : [],
        )
        const unwanted = old.length > 0 ? await listUnwanted(old) : []
        await remove(unwanted)
        removed += unwanted.length
        token = page.NextContinuationToken
        if (token === undefined) return removed
      }
    },

    remove,
  }
}

function clientConfig({
  region,
  endpoint,
  pathStyle,
  credentials,
}: Omit<S3Options, 'bucket'>): S3ClientConfig {
  return {
    region,
    ...(endpoint && { endpoint }),
    credentials,
    forcePathStyle: pathStyle ?? false,
    // Some S3-compatible stores do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: 20_000,
      socketTimeout: 20_000,
      throwOnRequestTimeout: true,
    },
  }
}
