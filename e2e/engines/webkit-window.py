#!/usr/bin/python3
"""Shows WebKitGTK in a window of an exact size for WebKitWebDriver, whose own browser has bars and is at least 447 pixels wide.

Arguments: the width, the height, and the folder of the profile. A window without a profile writes no console messages.
"""
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

width, height, profile = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
store = WebKit2.WebsiteDataManager(base_data_directory=f"{profile}/data", base_cache_directory=f"{profile}/cache")
context = WebKit2.WebContext(website_data_manager=store)
context.set_automation_allowed(True)


def open_window(_session):
    settings = WebKit2.Settings()
    settings.set_enable_write_console_messages_to_stdout(True)
    settings.set_hardware_acceleration_policy(WebKit2.HardwareAccelerationPolicy.NEVER)
    settings.set_javascript_can_access_clipboard(True)
    view = WebKit2.WebView(web_context=context, is_controlled_by_automation=True, settings=settings)
    window = Gtk.Window()
    window.set_decorated(False)
    window.set_default_size(width, height)
    window.add(view)
    window.show_all()
    view.grab_focus()
    view.connect("close", lambda _: window.destroy())
    view.connect("permission-request", lambda _, request: request.allow() or True)
    return view


def start(_context, session):
    info = WebKit2.ApplicationInfo()
    info.set_name("Rhubarb")
    session.set_application_info(info)
    session.connect("create-web-view", open_window)


context.connect("automation-started", start)
Gtk.main()
