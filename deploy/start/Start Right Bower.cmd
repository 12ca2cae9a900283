@echo off
rem Windows: double-click to start Right Bower. Installs it first, from the file beside this one.
cd /d "%~dp0"
set "PATH=%PATH%;%USERPROFILE%\.local\bin;%LOCALAPPDATA%\Microsoft\WinGet\Links"
rem A virus scanner may look into connections, with a certificate of its own.
set "UV_SYSTEM_CERTS=1"
set "UV_NATIVE_TLS=1"

set "WHEEL="
for /f "delims=" %%f in ('dir /b /o:d right_bower-*.whl 2^>nul') do set "WHEEL=%%f"
where uv >nul 2>nul
if errorlevel 1 goto no_uv
if not defined WHEEL goto installed
uv tool install --quiet --compile-bytecode --python ">=3.11,<3.15" --constraints requirements.txt "%WHEEL%"
if errorlevel 1 goto failed
for /f "delims=" %%d in ('uv tool dir --bin') do set "PROGRAM=%%d\right-bower.exe"
rem Where the name of the account has an umlaut, this window misreads what uv wrote.
if not exist "%PROGRAM%" set "PROGRAM=%USERPROFILE%\.local\bin\right-bower.exe"
"%PROGRAM%" %*
goto ended

:installed
where right-bower >nul 2>nul
if errorlevel 1 goto no_wheel
right-bower %*

:ended
rem What it said when it could not start stays to be read.
if not "%errorlevel%"=="0" goto wait
exit /b

:no_uv
where right-bower >nul 2>nul
if not errorlevel 1 goto installed
if not defined WHEEL goto no_wheel
echo Right Bower needs uv, a small free program, to install itself.
echo In the Start menu open Terminal, type   winget install astral-sh.uv   and press Enter.
echo Then start this file again.
goto wait

:no_wheel
echo The file right_bower-....whl is missing. Unpack the whole download into one folder.
goto wait

:failed
rem Without the internet a newer one waits, and the one of before is started.
where right-bower >nul 2>nul
if not errorlevel 1 goto installed
echo Right Bower could not be installed. The first time it needs the internet.

:wait
pause
exit /b 1
