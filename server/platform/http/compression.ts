import { constants } from 'node:zlib'
import type { FastifyCompressOptions } from '@fastify/compress'

const shared = {
  globalDecompression: false,
  // zstd compresses a list of listings faster and smaller than Brotli.
  encodings: ['zstd', 'br', 'gzip'],
  threshold: 1024,
  syncThreshold: 64 * 1024,
} satisfies FastifyCompressOptions

/** Compresses responses at little CPU time. */
export const fastCompression: FastifyCompressOptions = {
  ...shared,
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } },
  zlibOptions: { level: 1 },
}

/** Compresses pages better: a browser paints before it has the scripts if the HTML fits into the first ten packets of a connection. */
export const pageCompression: FastifyCompressOptions = {
  ...shared,
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } },
  // The plugin passes these options to zstd, too.
  zlibOptions: {
    level: 6,
    params: { [constants.ZSTD_c_compressionLevel]: 7 },
  } as FastifyCompressOptions['zlibOptions'],
}
