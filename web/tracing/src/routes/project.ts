import { definePage } from '@assay/account/routes/define-page.ts'
import { signedIn } from './signed-in.ts'

/** The parent of the pages of a project. */
export const project = definePage({
  parent: signedIn,
  path: '/p/$projectId',
  title: 'Project',
  load: () => import('../shell/ProjectFrame.tsx').then((file) => file.ProjectFrame),
})
