import { constants } from 'node:zlib'
import type { FastifyCompressOptions } from '@fastify/compress'

const shared = {
  globalDecompression: false,
  // zstd compresses a list of listings faster and smaller than Brotli.
  encodings: ['zstd', 'br', 'gzip'],
  threshold: 1024,
  syncThreshold: 64 * 1024,
} satisfies FastifyCompressOptions

/** Compresses with little CPU time. */
export const fastCompression: FastifyCompressOptions = {
  ...shared,
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } },
  zlibOptions: { level: 1 },
}

const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 7 } }

/** Compresses better, so that the HTML of most pages fits into the first ten packets of a connection. */
export const pageCompression: FastifyCompressOptions = {
  ...shared,
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } },
  // The plugin passes these options to zstd, too.
  zlibOptions: { level: 6, ...zstdOptions },
}
