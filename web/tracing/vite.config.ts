import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
  build: {
    // Browsers that know light-dark() in CSS; older ones would get a rewriting of it that Mantine defeats.
    target: ['chrome123', 'firefox124', 'safari17.5'],
    // An inlined asset would be a data: address, which the content-security policy allows for images only.
    assetsInlineLimit: 0,
    // The polyfill is inline script in all but name; every browser this serves preloads modules itself.
    modulePreload: { polyfill: false },
  },
  server: { host: '127.0.0.1', proxy: { '/api': 'http://127.0.0.1:4600' } },
})
