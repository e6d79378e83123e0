import type { AnyEndpoint } from '@assay/contract/endpoint.ts'
import type { LooseArgs, Reply, Service } from './started-app.ts'

/*
 * A minimal browser for sign-in tests: stores cookies and sends them back.
 */

export interface TestBrowser {
  readonly cookies: Map<string, string>
  call<E extends AnyEndpoint>(declared: E, args: LooseArgs<E>): Promise<Reply<E>>
}

export function openBrowser(service: Service): TestBrowser {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async call(declared, args) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await service.call(declared, args, cookie === '' ? {} : { cookie })
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';')
        const [name = '', value = ''] = pair.split('=')
        if (line.includes('Max-Age=0')) cookies.delete(name)
        else cookies.set(name, value)
      }
      return response
    },
  }
}
