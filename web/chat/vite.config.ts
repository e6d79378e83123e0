import { defineConfig } from 'vite'
import { buildOptions } from '../account/build-options.ts'

export default defineConfig({
  ...buildOptions,
  server: { host: '127.0.0.1', proxy: { '/api': 'http://127.0.0.1:4601' } },
})
