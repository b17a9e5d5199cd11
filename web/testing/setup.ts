import '#web/styles/base.css'
