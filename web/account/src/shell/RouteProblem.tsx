import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { LinkButton } from '../parts/LinkButton.tsx'
import { isChunkLoadError } from './chunk-load-error.ts'
import { RequestProblem } from './RequestProblem.tsx'

/** Replaces a page that could not be loaded or rendered. */
export function RouteProblem({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const failure = error instanceof Error ? error : new Error(String(error))
  return (
    <RequestProblem
      isPage
      error={failure}
      onRetry={() => {
        if (isChunkLoadError(failure)) return location.reload()
        reset()
        void router.invalidate()
      }}
      actions={
        <LinkButton to="/" variant="subtle">
          Home
        </LinkButton>
      }
    />
  )
}
