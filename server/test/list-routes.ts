/** Every route of a server, as `GET /path/:param`, read from the tree that the framework prints. */
export function listRoutes(server: {
  printRoutes(options: { readonly commonPrefix: false }): string
}): readonly string[] {
  const parents: string[] = []
  return server
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', segment = '', methods = ''] =
        /^(.*?)[└├]── (\S*) ?(?:\((.*)\))?$/.exec(line) ?? []
      if (segment === '') return []
      const depth = indent.length / 4
      const path = (parents[depth - 1] ?? '') + segment
      parents[depth] = path
      return methods === '' ? [] : methods.split(', ').map((method) => `${method} ${path}`)
    })
}
