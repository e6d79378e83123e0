import { join } from 'node:path'
import { defineConfig } from 'vite'
import { buildOptions } from '../account/build-options.ts'

const source = (path: string) => join(import.meta.dirname, 'src', path)

export default defineConfig({
  ...buildOptions({
    start: source('main.ts'),
    app: source('app.ts'),
    signIn: source('pages/sign-in/SignInPage.tsx'),
    frame: [source('shell/Shell.tsx'), source('shell/ProjectFrame.tsx')],
    pages: { conversation: source('pages/conversation/ConversationPage.tsx') },
  }),
  server: { host: '127.0.0.1', proxy: { '/api': 'http://127.0.0.1:4601' } },
})
