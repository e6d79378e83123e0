import { FailureView } from '@assay/ui/failure-view.tsx'
import { theme, themeVariables } from '@assay/ui/theme.ts'
import { MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type AnyRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { endSession } from './api/end-session.ts'
import { forgetEarly } from './api/first-requests.ts'
import { createQueryClient } from './api/query-client.ts'
import { sessionQuery } from './api/session.ts'
import { onSignedInUserChange } from './api/signed-in-user.ts'
import { preloadPages } from './preload-pages.ts'
import { ProductName } from './shell/product-name.ts'
import { RequestProblem } from './shell/RequestProblem.tsx'

interface App {
  readonly name: string
  readonly createRouter: (queryClient: QueryClient) => AnyRouter
  /** Removes from the browser what the app has stored for the signed-in person. */
  readonly forgetPerson: () => void
  /** The pages that sign in. */
  readonly signInPages: readonly string[]
}

/** Renders a web app, and opens its sign-in page when the session ends, in whichever tab. */
export function startApp({ name, createRouter, forgetPerson, signInPages }: App): void {
  const queryClient = createQueryClient(leave, () => void router.invalidate())
  const router = createRouter(queryClient)
  let isLeaving = false

  /** Opens the sign-in page, which returns here. */
  function leave(): void {
    const { href } = router.state.location
    if (isLeaving || signedInUserId() === undefined) return
    isLeaving = true
    const openSignIn = () => router.navigate({ to: '/sign-in', search: { next: href } })
    void endSession(queryClient, { forgetPerson, openSignIn }).finally(() => {
      isLeaving = false
    })
  }

  function signedInUserId(): string | undefined {
    return queryClient.getQueryData(sessionQuery.queryKey)?.user.id
  }

  onSignedInUserChange((userId) => {
    if (userId === null) return leave()
    const here = signedInUserId()
    const isSignIn = signInPages.includes(router.state.location.pathname)
    // The sign-in page then opens the page to return to. A page of another person is loaded again.
    if (here === undefined ? isSignIn : here !== userId) location.reload()
  })

  const stop = router.subscribe('onResolved', () => {
    forgetEarly()
    stop()
  })
  render(name, router, queryClient)
  void preloadPages(router, queryClient)
}

function render(name: string, router: AnyRouter, queryClient: QueryClient): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
  const root = document.getElementById('root')
  if (root === null) throw new Error('index.html has no element with the id root.')
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={themeVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queryClient}>
          <FailureView
            value={(error, onRetry) => <RequestProblem error={error} onRetry={onRetry} />}
          >
            <ProductName value={name}>
              <RouterProvider router={router} />
            </ProductName>
          </FailureView>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
}
