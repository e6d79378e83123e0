import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Plugin } from 'vite'

const compress = promisify(brotliCompress)
const options = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }

/**
 * Adds a Brotli file beside each chunk of these names, at the best quality: 8% smaller than what the service makes of
 * other files on their first request, but 20 times slower.
 */
export function precompress(names: readonly string[]): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    // After the plugins that still change what is written.
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const isMeant = (name: string | undefined) => name !== undefined && names.includes(name)
        const files = Object.values(bundle).flatMap((one) => {
          if (one.type === 'chunk')
            return isMeant(one.name) ? [[one.fileName, one.code] as const] : []
          const isStyle = one.names.some(
            (name) => name.endsWith('.css') && isMeant(name.slice(0, -4)),
          )
          return isStyle ? [[one.fileName, one.source] as const] : []
        })
        await Promise.all(
          files.map(async ([fileName, source]) =>
            this.emitFile({
              type: 'asset',
              fileName: `${fileName}.br`,
              source: await compress(source, options),
            }),
          ),
        )
      },
    },
  }
}
