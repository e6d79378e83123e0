import type { HtmlTagDescriptor, Plugin } from 'vite'

/** Has the browser load the chunks of these names before the entry point has run, which imports them dynamically. */
export function preloadTags(...names: readonly string[]): Plugin {
  return {
    name: 'preload-tags',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.values(bundle)
          .filter((one) => one.type === 'chunk' && names.includes(one.name))
          .map(({ fileName }): HtmlTagDescriptor => {
            const attrs = { rel: 'modulepreload', crossorigin: true, href: `/${fileName}` }
            return { tag: 'link', attrs, injectTo: 'head' }
          }),
    },
  }
}
