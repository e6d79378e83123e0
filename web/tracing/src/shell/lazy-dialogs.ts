import { lazyDialog } from '@assay/ui/lazy-part.tsx'

/*
 * The dialogs of the frame, whose code the first page does not need.
 */

export const LazyCreateOrganizationDialog = lazyDialog(() =>
  import('./CreateOrganizationDialog.tsx').then((file) => file.CreateOrganizationDialog),
)

export const LazyCreateProjectDialog = lazyDialog(() =>
  import('./CreateProjectDialog.tsx').then((file) => file.CreateProjectDialog),
)

export const LazyRemoveSampleDialog = lazyDialog(() =>
  import('./RemoveSampleDialog.tsx').then((file) => file.RemoveSampleDialog),
)
