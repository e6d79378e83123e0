import { startApp } from '@assay/account/start-app.tsx'
import { createAppRouter } from './router.ts'
import { forgetDraftTexts } from './thread/draft-text.ts'
import { refuseDroppedFiles } from './thread/dropped-files.ts'

refuseDroppedFiles()
startApp({
  name: 'Assay Chat',
  createRouter: createAppRouter,
  forgetPerson: forgetDraftTexts,
  signInPages: ['/sign-in'],
})
