"""File names and messages that would act, were they not escaped."""

HOSTILE = (
    "[open me](javascript:alert(1)).pdf",
    "![](https://evil.example/pixel.png).pdf",
    "<img src=x onerror=alert(1)>.pdf",
    "<script>alert(1)</script>.txt",
    "<https://evil.example>.txt",
    "http://evil.example/a.txt",
    "www.evil.example.txt",
    "a`b``c.txt",
    "a | b || c.txt",
    "back\\|slash\\.txt",
    "two\nlines\r.txt",
    "\x1b[2Jclear.txt",
    "invoice\u202efdp.exe.txt",
    "*strong* _em_ ~~gone~~.txt",
    "# heading.txt",
    "&lt;b&gt;.txt",
    "[a]: javascript:alert(1)",
    "long-" * 60 + ".pdf",
)
