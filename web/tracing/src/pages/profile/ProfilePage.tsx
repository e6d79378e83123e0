import { PageHead } from '../../page/PageHead.tsx'
import styles from '../../page/page.module.css'
import { NameForm } from './NameForm.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { SessionList } from './SessionList.tsx'

/** The account of the person. */
export function ProfilePage() {
  return (
    <div className={styles.page}>
      <PageHead title="Profile" />
      <NameForm />
      <section className={styles.section} aria-labelledby="password">
        <h2 className={styles.heading} id="password">
          Password
        </h2>
        <PasswordForm />
      </section>
      <section className={styles.section} aria-labelledby="sessions">
        <h2 className={styles.heading} id="sessions">
          Active sessions
        </h2>
        <SessionList />
      </section>
    </div>
  )
}
