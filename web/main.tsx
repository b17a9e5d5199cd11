import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { followLogin } from '#web/features/auth/follow-login.ts'
import { router } from '#web/router.tsx'
import './styles/base.css'

followLogin(router)

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root')

createRoot(root).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)
