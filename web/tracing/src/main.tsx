import './disable-zod-jit.ts'
import './mantine-styles.ts'
import '@assay/ui/tokens.css'
import { FailureView } from '@assay/ui/failure-view.tsx'
import { theme, themeVariables } from '@assay/ui/theme.ts'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './api/query-client.ts'
import { forgetKeys } from './api/revealed-keys.ts'
import { sessionQuery } from './api/session.ts'
import { createAppRouter } from './router.ts'
import { RequestProblem } from './shell/RequestProblem.tsx'

const queryClient = createQueryClient(() => {
  const { href, pathname } = router.state.location
  if (pathname === '/sign-in' || pathname === '/setup') return
  queryClient.removeQueries({ queryKey: sessionQuery.queryKey })
  forgetKeys()
  void router.navigate({ to: '/sign-in', search: { next: href } })
})
const router = createAppRouter(queryClient)

// Preloads all pages when idle: they open at once, and an open app survives a restart of the service.
setTimeout(() => {
  for (const route of Object.values(router.routesById)) void router.loadRouteChunk(route)
}, 2000)

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
        <FailureView value={(error, onRetry) => <RequestProblem error={error} onRetry={onRetry} />}>
          <RouterProvider router={router} />
        </FailureView>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
