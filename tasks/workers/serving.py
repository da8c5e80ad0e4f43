"""Serving: the loop of a worker, one item after the other. Nothing but this module unpickles, and only workers run it."""

import pickle
import socket
from functools import partial

from tasks.workers.messages import make_error_message, make_message, make_value_message, receive_message, send_message


def serve_until_closed(connection: socket.socket) -> None:
    """Serve items until the pool closes the connection."""
    send_message(connection, *make_message("hello"))
    while True:
        serve_call(connection)


def serve_call(connection: socket.socket) -> None:
    """Receive one item and answer with its value or its error. Its module is imported before the time limits start."""
    payload = receive_message(connection)
    try:
        function, args = pickle.loads(payload)
        send_message(connection, *make_message("ready"))
        answer = make_value_message(function(*args, partial(report_pages_done, connection)))
    except BaseException as error:
        answer = make_error_message(error)
    send_message(connection, *answer)


def report_pages_done(connection: socket.socket, n_done: int) -> None:
    """Report that `n_done` pages are done so far. Only for the thread that runs the function."""
    send_message(connection, *make_message("tick", n_done))
