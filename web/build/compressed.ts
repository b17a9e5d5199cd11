import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const texts = /\.(?:js|css|svg|json|txt|webmanifest)$/
const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/**
 * Writes `.br` and `.gz` beside every hashed text asset, at the highest level: built once, sent often.
 * Pages are left alone, because the server fills in the site's own data before it sends them.
 */
export function compressed(): Plugin {
  return {
    name: 'rhubarb:compressed',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const assets = join(dir, 'assets')
      const names = (await readdir(assets)).filter((name) => texts.test(name))
      await Promise.all(
        names.map(async (name) => {
          const file = join(assets, name)
          const text = await readFile(file)
          const options = {
            params: {
              [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
              [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
            },
          }
          await writeFile(`${file}.br`, await toBrotli(text, options))
          await writeFile(`${file}.gz`, await toGzip(text, { level: constants.Z_BEST_COMPRESSION }))
        }),
      )
    },
  }
}
