@echo off
rem Windows: double-click to start Right Bower. Installs it first, from the file beside this one.
cd /d "%~dp0"
set "PATH=%PATH%;%USERPROFILE%\.local\bin"

set "WHEEL="
for %%f in (right_bower-*.whl) do set "WHEEL=%%f"
where uv >nul 2>nul
if errorlevel 1 goto no_uv
if not defined WHEEL goto installed
uv tool install --quiet --compile-bytecode --python ">=3.11" --constraints requirements.txt "%WHEEL%"
if errorlevel 1 goto failed
for /f "delims=" %%d in ('uv tool dir --bin') do "%%d\right-bower.exe" %*
exit /b

:installed
where right-bower >nul 2>nul
if errorlevel 1 goto no_wheel
right-bower %*
exit /b

:no_uv
where right-bower >nul 2>nul
if not errorlevel 1 goto installed
echo Right Bower needs uv, a small free program, to install itself.
echo In the Start menu open Terminal, type   winget install astral-sh.uv   and press Enter.
echo Then start this file again.
goto wait

:no_wheel
echo The file right_bower-....whl is missing. Unpack the whole download into one folder.
goto wait

:failed
echo Right Bower could not be installed. The first time it needs the internet.

:wait
pause
exit /b 1
