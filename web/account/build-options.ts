import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import type { UserConfig } from 'vite'
import { chunkGroups, type FirstVisit, firstChunkNames } from './chunks.ts'
import { configuredZod } from './configured-zod.ts'
import { contractInBrowsers } from './contract-in-browsers.ts'
import { directImports } from './direct-imports.ts'
import { noJsonSchemas } from './no-json-schemas.ts'
import { precompress } from './precompress.ts'
import { preloadTags } from './preload-tags.ts'

/** How a web app is built and served while developing. */
export function buildOptions(visit: FirstVisit): UserConfig {
  return {
    plugins: [
      react(),
      configuredZod(),
      contractInBrowsers(),
      directImports(),
      noJsonSchemas(),
      preloadTags('app', 'common'),
      precompress(firstChunkNames(visit)),
    ],
    publicDir: join(import.meta.dirname, 'public'),
    build: {
      // Browsers that support light-dark() in CSS; the fallback for older ones conflicts with Mantine.
      target: ['chrome123', 'firefox124', 'safari17.5'],
      // An inlined asset would be a data: URL, which the content security policy allows only for images.
      assetsInlineLimit: 0,
      // All supported browsers preload modules natively.
      modulePreload: { polyfill: false },
      rolldownOptions: { output: { codeSplitting: { groups: chunkGroups(visit) } } },
    },
  }
}
