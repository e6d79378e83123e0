import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { LinkButton } from '../parts/LinkButton.tsx'
import { RequestProblem } from './RequestProblem.tsx'

/** What stands in place of a page that could not be loaded or drawn. */
export function RouteProblem({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <RequestProblem
      error={error instanceof Error ? error : new Error(String(error))}
      onRetry={() => {
        reset()
        void router.invalidate()
      }}
      actions={
        <LinkButton to="/" variant="subtle">
          To the start page
        </LinkButton>
      }
    />
  )
}
