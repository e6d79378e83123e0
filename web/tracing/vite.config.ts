import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
  build: {
    // Browsers that support light-dark() in CSS; the fallback for older ones conflicts with Mantine.
    target: ['chrome123', 'firefox124', 'safari17.5'],
    // An inlined asset would be a data: URL, which the content security policy allows only for images.
    assetsInlineLimit: 0,
    // All supported browsers preload modules natively.
    modulePreload: { polyfill: false },
  },
  server: { host: '127.0.0.1', proxy: { '/api': 'http://127.0.0.1:4600' } },
})
