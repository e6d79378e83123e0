import '@assay/ui/mantine-styles.ts'
import '@assay/ui/tokens.css'
import { startEarly } from '@assay/account/api/first-requests.ts'
import { loadFirstPage } from './routes/first-page.ts'

// Every import beyond these delays the first requests.
startEarly(loadFirstPage)
void import('./app.ts')
