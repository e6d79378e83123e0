import { Problem } from '@assay/ui/Problem.tsx'
import { LinkButton } from '../parts/LinkButton.tsx'
import { useTitle } from './use-title.ts'

export function NotFoundPage() {
  useTitle('Not found')
  return (
    <Problem
      title="There is no such page"
      actions={
        <LinkButton to="/" variant="default">
          To the start page
        </LinkButton>
      }
    >
      The address may have been mistyped, or the page has moved.
    </Problem>
  )
}
