import { Problem } from '@assay/ui/Problem.tsx'
import { LinkButton } from '../parts/LinkButton.tsx'
import { useTitle } from './use-title.ts'

export function NotFoundPage() {
  useTitle('Not found')
  return (
    <Problem
      title="Page not found"
      isPage
      isMissing
      actions={
        <LinkButton to="/" variant="default">
          Home
        </LinkButton>
      }
    >
      The address may be mistyped, or the page has moved.
    </Problem>
  )
}
