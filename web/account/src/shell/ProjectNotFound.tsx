import { Problem } from '@assay/ui/Problem.tsx'
import { LinkButton } from '../parts/LinkButton.tsx'

export function ProjectNotFound() {
  return (
    <Problem
      title="Project not found"
      isPage
      isMissing
      actions={
        <LinkButton to="/" variant="default">
          Home
        </LinkButton>
      }
    >
      It may have been deleted, or it belongs to an organization you don't belong to.
    </Problem>
  )
}
