import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import type { UserConfig } from 'vite'

/** How the web apps are built and served while developing. */
export const buildOptions: UserConfig = {
  plugins: [react()],
  publicDir: join(import.meta.dirname, 'public'),
  build: {
    // Browsers that support light-dark() in CSS; the fallback for older ones conflicts with Mantine.
    target: ['chrome123', 'firefox124', 'safari17.5'],
    // An inlined asset would be a data: URL, which the content security policy allows only for images.
    assetsInlineLimit: 0,
    // All supported browsers preload modules natively.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // One chunk: imports run before the module that imports them, so in the chunk of the entry point the setting
            // would come after the first schemas.
            { name: 'zod', test: /node_modules\/zod\/|disable-zod-jit/ },
            // One file, in the order of the imports: styles of our own override those of Mantine.
            { name: 'styles', test: /\.css$/ },
            // Otherwise a page has more than a hundred files.
            { name: 'shared', minShareCount: 3 },
          ],
        },
      },
    },
  },
}
