import { join } from 'node:path'
import type { Plugin } from 'vite'

const configured = join(import.meta.dirname, 'src/zod-without-compiler.ts')

/** Has all imports of zod go through the module that configures it, which then runs before the first schema. */
export function configuredZod(): Plugin {
  return {
    name: 'configured-zod',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^zod$/ },
      handler: (_id, importer) =>
        importer === configured || importer?.includes('/node_modules/') ? null : configured,
    },
  }
}
