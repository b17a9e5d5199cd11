import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface S3Server extends AsyncDisposable {
  endpoint: string
  /** The stored objects by path: `/bucket/key`. */
  objects: Map<string, { bytes: Buffer; type: string | undefined }>
  /** Returns whether a PUT to this path fails with an error that clients do not retry. */
  refusePut: (path: string) => boolean
}

/**
 * Starts a server with the part of the S3 API that the storage uses. Refuses requests without this key's id or with a wrong hash of
 * the body. It does not verify signatures.
 */
export async function startS3Server(accessKeyId: string): Promise<S3Server> {
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const { pathname, searchParams: search } = new URL(request.url ?? '', 'http://localhost')
    const path = pathname.replace(/\/$/, '')
    const object = s3.objects.get(path)
    if (!isSigned(request, body, accessKeyId)) {
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
    } else if (request.method === 'PUT' && s3.refusePut(path)) {
      response
        .writeHead(403)
        .end('<Error><Code>QuotaExceeded</Code><Message>The bucket is full</Message></Error>')
    } else if (request.method === 'PUT') {
      s3.objects.set(path, { bytes: body, type: request.headers['content-type'] })
      response.writeHead(200, { etag: '"1"' }).end()
    } else if (request.method === 'DELETE') {
      s3.objects.delete(path)
      response.writeHead(204).end()
    } else if (request.method === 'GET' && search.get('list-type') === '2') {
      response.writeHead(200).end(pageOf([...s3.objects.keys()], `${path}/`, search))
    } else if (request.method === 'GET' && object) {
      response.writeHead(200, { 'content-length': object.bytes.length }).end(object.bytes)
    } else {
      response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('The S3 server listens on no port')

  const s3: S3Server = {
    endpoint: `http://127.0.0.1:${address.port}`,
    objects: new Map(),
    refusePut: () => false,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return s3
}

/** Returns a page of two keys, so that a few files need several pages. The continuation token is the last key of the previous page. */
function pageOf(paths: readonly string[], bucket: string, search: URLSearchParams): string {
  const prefix = bucket + (search.get('prefix') ?? '')
  const after = search.get('continuation-token') ?? ''
  const keys = paths
    .filter((path) => path.startsWith(prefix))
    .map((path) => path.slice(bucket.length))
    .filter((key) => key > after)
    .sort()
  const page = keys.slice(0, 2)
  const next =
    keys.length > page.length ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  const contents = page.map(
    (key) => `<Contents><Key>${key}</Key><LastModified>2026-05-01T12:00:00.000Z</LastModified></Contents>`,
  )
  return `<ListBucketResult>${contents.join('')}${next}</ListBucketResult>`
}

function isSigned(request: IncomingMessage, body: Buffer, accessKeyId: string): boolean {
  const { authorization = '', 'x-amz-content-sha256': claimed } = request.headers
  const hash = createHash('sha256').update(body).digest('hex')
  return (
    new RegExp(
      `^AWS4-HMAC-SHA256 Credential=${accessKeyId}/.+, SignedHeaders=.*host.*, Signature=[0-9a-f]{64}$`,
    ).test(authorization) && claimed === hash
  )
}
