import { type CodeToHighlight, highlightCode } from './highlight-code.ts'

self.addEventListener('message', ({ data }: MessageEvent<CodeToHighlight>) => {
  self.postMessage(highlightCode(data))
})
// Loaded: from now on, only the code takes time.
self.postMessage(undefined)
